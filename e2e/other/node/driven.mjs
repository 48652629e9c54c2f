import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

/**
 * Reads operations on a library's locks from standard input, and writes what the client saw to standard output.
 * `connect` gets `{url, name}` and returns `perform(actor, operation, name, numbers)`, which resolves to the result of
 * the call.
 *
 *   input          ACTOR OPERATION KIND NAME [ARGUMENT ...]      an actor's calls run one after another
 *   output         µs app1 ready LIBRARY
 *                  µs app1 A > lock lock orders:42 3000          called
 *                  µs app1 A < lock lock orders:42 3000 = ok     returned; "! Error: message" if it threw
 *
 * The end of the input ends the client.
 */
export async function drive(library, connect) {
  const { values } = parseArgs({ options: { url: { type: 'string' }, name: { type: 'string' } } });
  const report = (what) => process.stdout.write(`${nowMicros()} ${values.name} ${what}\n`);
  const perform = await connect(values);
  report(`ready ${library}`);
  const turns = new Map();
  const take = async (actor, call) => {
    const [operation, , name, ...numbers] = call;
    const text = call.join(' ');
    report(`${actor} > ${text}`);
    try {
      report(`${actor} < ${text} = ${await perform(actor, operation, name, numbers.map(Number))}`);
    } catch (error) {
      report(`${actor} < ${text} ! ${error.name}: ${error.message.replaceAll('\n', ' ')}`);
    }
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const [actor, ...call] = line.split(' ');
    turns.set(
      actor,
      (turns.get(actor) ?? Promise.resolve()).then(() => take(actor, call)),
    );
  }
  process.exit(0);
}

/** The time by the same clock as Redis's. The origin of `performance` may be inexact. */
function nowMicros() {
  return Date.now() * 1000;
}
