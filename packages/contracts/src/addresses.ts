/**
 * White space, control and bidirectional formatting characters, and backslashes: what makes an address read as
 * another one than a browser follows (API decisions, "description" and "applicationUrl").
 */
export const deceptiveInUrl = /[\s\p{Cc}\p{Bidi_Control}\\]/u;
