/*
 * Records with each field on a line of its own:
 *
 *     "pod": "redis-0",                           insertId: a1                       _PID=812
 *     "message": "1795000000.000037 [0 …] …"      textPayload: '1795000000.000037 …  MESSAGE=1795000000.000037 [0 …] …
 *   },                                            ---
 *
 * Logstash writes `"message" => "1795…",`.
 */

const JSON_FIELD = /^\s*"([^"\\]{1,100})"\s*(?::|=>)/;
/** Brackets around fields, or an element of a list by Logstash. */
const BRACKETS = /^\s*\[\d{1,6}\] "(?:[^"\\]|\\.){0,400}",?\s*$|^\s*(?:"[^"\\]{1,100}"\s*(?::|=>)\s*)?[\s[\]{},]*$/;
/** The field that has the text, in YAML and in what `journalctl` exports. */
const TEXT_FIELD = /^\s*(?:- )?(?:(MESSAGE)=|(textPayload|message|log|line|msg):\s)/;
const OTHER = /^\s*(?:- )?[\w.@/-]{1,80}(?:=|:(?:\s|$))/;
/** The line between two records; with `-o verbose`, the line with the time. */
const BETWEEN = /^(?:---|[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\S{0,20} \S{1,20} \[s=[^\s\]]{1,400}\])$/;

/** Knows the field of records that has the lines of a text. */
export class RecordFields {
  #json: string | undefined;
  #plain: string | undefined;

  /** Takes a line of the file in which a line of the text was found: the text is in this field. */
  found(line: string): void {
    this.#json = JSON_FIELD.exec(line)?.[1];
    this.#plain = this.#json === undefined ? plainField(line) : undefined;
  }

  /** Whether a line of the file is another field, or between two records. */
  isOther(line: string): boolean {
    if (this.#json !== undefined)
      return BRACKETS.test(line) || (JSON_FIELD.exec(line)?.[1] ?? this.#json) !== this.#json;
    if (this.#plain === undefined) return false;
    return BETWEEN.test(line) || (OTHER.test(line) && plainField(line) !== this.#plain);
  }
}

function plainField(line: string): string | undefined {
  const [, journal, other] = TEXT_FIELD.exec(line.slice(0, 400)) ?? [];
  return journal ?? other;
}
