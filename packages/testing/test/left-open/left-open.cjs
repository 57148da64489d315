const { createServer } = require('node:net');

it('passes, and leaves a server open', (done) => {
  createServer().listen(0, '127.0.0.1', done);
});
