// The bus as an AsyncAPI document, for teams that deploy a service of their own.
export * from './document.ts';
export { Refusal, ReplyEnvelope, RequestEnvelope } from './envelopes.ts';
