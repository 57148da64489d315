export function generatedFiles(): Record<string, string>;
