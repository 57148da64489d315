// Counts a view once the page has been visible for one second without a break.
(() => {
  const { dataset, src } = document.currentScript;
  const address = new URL('../count', src);
  let timer;
  const watch = () => {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') timer = setTimeout(send, 1000);
  };
  const send = () => {
    document.removeEventListener('visibilitychange', watch);
    navigator.sendBeacon(address, dataset.token);
  };
  document.addEventListener('visibilitychange', watch);
  watch();
})();
