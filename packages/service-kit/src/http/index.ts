/** What services with an HTTP server of their own share. */
export { acceptsGzip, noneMatchHits, parseTags } from './conditions.ts';
export { httpConfig } from './config.ts';
export { counts } from './counts.ts';
export { listen } from './listen.ts';
export { networkOf } from './network.ts';
export { closeGracefully } from './shutdown.ts';
export { proxyMatcher, trustedProxies } from './trusted-proxies.ts';
