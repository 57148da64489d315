declare module 'cli-progress' {
  interface Options {
    readonly format: string;
    readonly stream: NodeJS.WritableStream;
    readonly hideCursor?: boolean;
    readonly clearOnComplete?: boolean;
  }

  export class SingleBar {
    constructor(options: Options);
    start(total: number, startValue: number, payload?: Readonly<Record<string, unknown>>): void;
    update(current: number, payload?: Readonly<Record<string, unknown>>): void;
    stop(): void;
  }
}
