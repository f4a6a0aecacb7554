export declare function scopedName(name: string, file: string): string;
export declare const css: { modules: { generateScopedName: (name: string, file: string) => string } };
