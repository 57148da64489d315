// Counts a view once the page has been visible for one second without a break.
(() => {
  const { token } = document.currentScript.dataset;
  let timer;
  const watch = () => {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') timer = setTimeout(send, 1000);
  };
  const send = () => {
    document.removeEventListener('visibilitychange', watch);
    navigator.sendBeacon('/count', token);
  };
  document.addEventListener('visibilitychange', watch);
  watch();
})();
