export function withShortStyles(module: string): Promise<string>
