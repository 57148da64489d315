import { ServiceError } from '@joblisting/contracts';
import type { FastifyRequest } from 'fastify';
import { faultOf } from './rewrite.ts';

/** Throws for what was wrong before routing: `method_override`, or `invalid_parameter` for a path that cannot be decoded. */
export function refuseFaults(request: FastifyRequest): void {
  const fault = faultOf(request.raw);
  if (fault?.override) {
    const detail = 'X-HTTP-Method-Override must be PUT or DELETE.';
    throw new ServiceError('method_override', detail, {
      errors: [{ header: 'X-HTTP-Method-Override', code: 'invalid_value', detail }],
    });
  }
  if (fault?.encoding) {
    throw new ServiceError('bad_request', 'The path is not valid percent-encoded UTF-8.');
  }
}
