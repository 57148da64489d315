const { description } = document.getElementById('reference').dataset;

window.Scalar.createApiReference('#reference', {
  url: description,
  authentication: { preferredSecurityScheme: [['consumerKey', 'userKey']] },
  // Else a browser asks for a password where the keys are missing.
  customFetch: (request, options) => fetch(request, { ...options, credentials: 'omit' }),
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  onLoaded: () => document.getElementById('content').remove(),
});
