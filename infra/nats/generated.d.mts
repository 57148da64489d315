export function generatedFiles(read: (name: string) => string): Record<string, string>;
