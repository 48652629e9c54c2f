import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

/**
 * Does what standard input says with a library's locks and tells on standard output what the client saw. `connect` is
 * given `{url, name}` and gives back `perform(actor, operation, name, numbers)`, which resolves to what the call returned.
 *
 *   input          ACTOR OPERATION KIND NAME [ARGUMENT ...]      an actor's calls come one after the other
 *   output         µs app1 ready LIBRARY
 *                  µs app1 A > lock lock orders:42 3000          called
 *                  µs app1 A < lock lock orders:42 3000 = ok     returned; "! Error: message" when it threw
 *
 * The end of the input ends the client.
 */
export async function drive(library, connect) {
  const { values } = parseArgs({ options: { url: { type: 'string' }, name: { type: 'string' } } });
  const tell = (what) => process.stdout.write(`${nowMicros()} ${values.name} ${what}\n`);
  const perform = await connect(values);
  tell(`ready ${library}`);
  const turns = new Map();
  const take = async (actor, call) => {
    const [operation, , name, ...numbers] = call;
    const text = call.join(' ');
    tell(`${actor} > ${text}`);
    try {
      tell(`${actor} < ${text} = ${await perform(actor, operation, name, numbers.map(Number))}`);
    } catch (error) {
      tell(`${actor} < ${text} ! ${error.name}: ${error.message.replaceAll('\n', ' ')}`);
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

/** By the clock that Redis has too: `performance` counts from a beginning that may be taken late. */
function nowMicros() {
  return Date.now() * 1000;
}
