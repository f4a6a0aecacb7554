export declare const css: { modules: { generateScopedName: (name: string, file: string) => string } };
