import { loggedTypes } from '@joblisting/contracts';
import { webhookMessage } from '../routes/examples.ts';
import { type Json, referenceTo } from './schemas.ts';

const header = (name: string, description: string, example: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

/** What is sent to webhooks (OpenAPI 3.1, "webhooks"). */
export const sentEvents: Json = {
  event: {
    post: {
      operationId: 'receiveEvent',
      tags: ['Webhooks'],
      summary: 'Receive an event of the change log',
      description: `Sent to the \`url\` of each webhook that asks for the type, by Standard Webhooks 1.0. Verify the signature with the secret before anything is read, and keep the \`webhook-id\`: an event can come twice. Types: ${loggedTypes.join(', ')}, and webhook.test of a test.`,
      security: [],
      parameters: [
        header('webhook-id', 'The id of the event, the same with each attempt.', webhookMessage.data.id),
        header('webhook-timestamp', 'When the attempt was made, in Unix seconds.', '1798718400'),
        header(
          'webhook-signature',
          'Signatures of `<id>.<timestamp>.<body>` by each secret that is valid: `v1,` and the HMAC-SHA256 in base64, separated by spaces.',
          'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        ),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: referenceTo('WebhookMessage'), example: webhookMessage },
        },
      },
      responses: {
        204: { description: 'Any 2xx within 15 seconds: the event is delivered.' },
        410: { description: 'Nothing more is wanted: the webhook is disabled.' },
        429: {
          description: 'With `Retry-After`: nothing is sent until then. So with 503.',
        },
      },
    },
  },
};
