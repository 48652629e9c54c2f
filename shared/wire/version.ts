/** Version of every JSON body and socket message. */
export const WIRE_VERSION = 1;
