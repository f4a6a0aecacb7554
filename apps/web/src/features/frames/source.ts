/**
 * Address of a frame from the ids of the path (OPN-63): the operator's host where one is configured (https only, checked
 * again here), else the site's own drawing. Ids are plain words: anything else names nothing (CAR-46).
 */
export function frameSource(
  kind: 'stream' | 'score',
  id: string,
  sport: string | undefined,
): { url: string; own: boolean } | null {
  if (!/^[A-Za-z0-9._-]{1,60}$/.test(id) || (sport !== undefined && !/^[A-Za-z0-9._-]{1,30}$/.test(sport))) return null;
  const host = document.querySelector(`meta[name="fairgame-${kind}"]`)?.getAttribute('content') ?? '';
  if (host === '') return { url: `/frame/${kind === 'stream' ? 'tv' : 'score'}/${id}`, own: true };
  if (!URL.canParse(host)) return null;
  const base = new URL(host);
  if (base.protocol !== 'https:' || base.origin === window.location.origin) return null;
  return { url: `${base.origin}/${id}${sport ? `/${sport}` : ''}`, own: false };
}
