/** Letters between the parts of a German or Dutch compound. */
const LINKS = ['', 's', 'es', 'n', 'en', 'er', 'e'];
const MIN_PART_LENGTH = 3;
const MIN_LENGTH = 7;
/** Compounds of more parts are rare, and splits of them rarely right. */
const MAX_PARTS = 3;

/** Translations of the parts of a compound, in order; null unless every part has one. The last part is the longest possible. */
export function splitCompound(
  word: string,
  translate: (part: string) => string | null,
  parts = MAX_PARTS,
): string | null {
  if (word.length < MIN_LENGTH || parts < 2) return null;
  for (let at = MIN_PART_LENGTH; at <= word.length - MIN_PART_LENGTH; at += 1) {
    const first = translateFirst(word.slice(0, at), translate);
    if (first === null) continue;
    const rest = word.slice(at);
    const last = translate(rest) ?? splitCompound(rest, translate, parts - 1);
    if (last !== null) return `${first} ${last}`;
  }
  return null;
}

function translateFirst(part: string, translate: (part: string) => string | null): string | null {
  for (const link of LINKS) {
    const bare = part.slice(0, part.length - link.length);
    if (!part.endsWith(link) || bare.length < MIN_PART_LENGTH) continue;
    const english = translate(bare);
    if (english !== null) return english;
  }
  return null;
}
