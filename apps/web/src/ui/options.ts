/** Names as the choices of a list: value and label are the name (LIV-08). */
export function optionsOf(names: readonly string[]): Array<{ value: string; label: string }> {
  return names.map((name) => ({ value: name, label: name }));
}
