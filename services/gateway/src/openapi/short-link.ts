import type { Addresses } from '../addresses.ts';
import type { Json } from './schemas.ts';

/** GET /s/{code} is outside the versioned base, so it names its own server. */
export function shortLinkPath(addresses: Addresses): Json {
  const error = (code: string, description: string): Json => ({
    description,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: { [code]: { $ref: `#/components/examples/${code}` } },
      },
    },
  });
  const get = {
    operationId: 'followShortLink',
    tags: ['Short links'],
    summary: 'Follow a short link',
    description: "Leads to the job's public page.",
    security: [],
    parameters: [
      {
        name: 'code',
        in: 'path',
        required: true,
        schema: { type: 'string', maxLength: 64 },
        example: '4gHx',
      },
    ],
    responses: {
      302: {
        description: 'The page is at Location.',
        headers: { Location: { $ref: '#/components/headers/Location' } },
      },
      400: error('bad_request', '`bad_request`: the path cannot be read.'),
      404: error('link_not_found', '`link_not_found`: No such short link.'),
      500: error('internal', '`internal`: Something went wrong on our side.'),
      503: error(
        'unavailable',
        '`unavailable`: A dependency is unavailable. `overloaded`: The service is at its limit.',
      ),
      504: error('deadline_exceeded', '`deadline_exceeded`: No reply in time; the outcome is unknown.'),
    },
  };
  return { '/s/{code}': { servers: [{ url: addresses.origin }], get } };
}
