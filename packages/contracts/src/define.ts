import type { Static, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { Deprecation, Operation } from './operation.ts';

interface Definition<P extends TSchema, B extends TSchema | undefined, R extends TSchema | undefined> {
  readonly summary: string;
  readonly params: P;
  readonly body: B;
  readonly reply: R;
  readonly errors?: readonly ErrorCode[];
  readonly collectsViolations?: boolean;
  readonly takesIdempotencyKey?: boolean;
  readonly deprecated?: Deprecation;
}

type StaticOr<S extends TSchema | undefined> = S extends TSchema ? Static<S> : undefined;

/**
 * Returns the `operation()` of one owner, which makes the subject `<owner>.v1.<words>`. Throws unless all words are
 * lower-case.
 */
export function operationsOf(owner: string) {
  return <P extends TSchema, B extends TSchema | undefined, R extends TSchema | undefined>(
    words: string,
    definition: Definition<P, B, R>,
  ): Operation<Static<P>, StaticOr<B>, StaticOr<R>> => {
    const subject = `${owner}.v1.${words}`;
    if (!/^[a-z]+\.v1(\.[a-z-]+)+$/.test(subject)) throw new Error(`Not a valid subject: ${subject}`);
    return {
      errors: [],
      collectsViolations: false,
      takesIdempotencyKey: false,
      ...definition,
      subject,
      owner,
    };
  };
}
