const { server } = document.getElementById('reference').dataset;

window.Scalar.createApiReference('#reference', {
  url: document.getElementById('reference').dataset.description,
  servers: [{ url: server }],
  persistAuth: true,
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  onLoaded: () => document.getElementById('operations').remove(),
});
