import { connect } from 'node:net';
import { answerParent, urlToWatch } from './answer-parent.ts';

/** A socket that only counts bytes: the least that any reader of this stream costs in Node. */
const { hostname, port } = new URL(urlToWatch());
const socket = connect(Number(port), hostname);
let bytes = 0;
socket.on('data', (chunk) => {
  bytes += chunk.length;
});
socket.write('MONITOR\r\n');
socket.once('data', () => answerParent(() => ({ bytes })));
