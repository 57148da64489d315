import type { WebhookAttempt } from './openapi.ts';
import type { Body, Query } from './operations.ts';
import type { CreateOptions, RequestOptions } from './request.ts';
import { elementsOf, type Page, type Transport } from './transport.ts';

export function webhooksOf({ send, sendForPage }: Transport) {
  const page = (
    id: number,
    query: Query<'listWebhookAttempts'> = {},
    options: RequestOptions = {},
  ): Promise<Page<WebhookAttempt>> => sendForPage('listWebhookAttempts', { path: { id }, query }, options);
  return {
    /** Registers an address. Only this answer shows the secret. */
    create: (body: Body<'createWebhook'>, options: CreateOptions = {}) =>
      send('createWebhook', { body }, options),
    list: (query: Query<'listWebhooks'>, options: RequestOptions = {}) =>
      send('listWebhooks', { query }, options),
    get: (id: number, options: RequestOptions = {}) => send('getWebhook', { path: { id } }, options),
    /** Changes the properties sent; `{state: 'enabled'}` enables it again. */
    update: (id: number, changes: Body<'updateWebhook'>, options: RequestOptions = {}) =>
      send('updateWebhook', { path: { id }, body: changes }, options),
    delete: (id: number, options: RequestOptions = {}) => send('deleteWebhook', { path: { id } }, options),
    /** Sends a test event at once. */
    test: (id: number, options: CreateOptions = {}) => send('testWebhook', { path: { id } }, options),
    /** Sends events of the log again: all after a cursor, or those of a time. */
    replay: (id: number, range: Body<'replayEvents'>, options: CreateOptions = {}) =>
      send('replayEvents', { path: { id }, body: range }, options),
    /** Replaces the secret. Only this answer shows the new one. */
    rotateSecret: (id: number, options: CreateOptions = {}) =>
      send('rotateWebhookSecret', { path: { id } }, options),
    /** The attempts of all pages, newest first. */
    attempts: (id: number, query: Query<'listWebhookAttempts'> = {}, options: RequestOptions = {}) =>
      elementsOf((number) => page(id, { ...query, page: number }, options), query.page),
  };
}
