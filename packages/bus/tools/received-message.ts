import type { Msg } from 'nats';

/** A message as the client makes it of what it has read from its socket, where it stands among other bytes. */
export function receivedMessage(headers: Uint8Array, payload: Uint8Array | string = 'payload'): Msg {
  const data = Buffer.from(payload);
  const before = Buffer.from('MSG before');
  const all = Buffer.concat([before, headers, data, Buffer.from('\r\nMSG after')]);
  const message = {
    _rdata: new Uint8Array(all.buffer, all.byteOffset + before.length, headers.length + data.length),
    _msg: { hdr: headers.length },
    data: new Uint8Array(data),
    json: () => JSON.parse(data.toString()),
  };
  return message as unknown as Msg;
}
