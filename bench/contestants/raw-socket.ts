import { connect } from 'node:net';
import { answerParent, urlToWatch } from './answer-parent.ts';

/** A socket that only counts bytes: what any reader of this stream in Node costs at least. */
const { hostname, port } = new URL(urlToWatch());
const socket = connect(Number(port), hostname);
let bytes = 0;
socket.on('data', (chunk) => {
  bytes += chunk.length;
});
socket.write('MONITOR\r\n');
socket.once('data', () => answerParent(() => ({ bytes })));
