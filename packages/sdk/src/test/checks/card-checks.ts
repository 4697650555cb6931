import type { Check } from '../check.js';
import { isText, type JsonObject, objectsOf } from '../json-value.js';
import { interfacesOf, isCardOfV1, isHttpUrl } from '../probe/interfaces.js';
import { isMediaType } from '../probe/read-parts.js';
import { describeFault } from '../probe/read-response.js';
import { type Finding, shorten } from '../report.js';
import type { Subject } from '../subject.js';

const bindings = ['JSONRPC', 'HTTP+JSON', 'GRPC'];

function finding(found: unknown, expected: string, remedy: string): Finding {
  return { found: shorten(found), expected, remedy, where: 'agent card' };
}

async function readable(subject: Subject): Promise<Finding[]> {
  const { card, response, url } = await subject.cardReading();
  const { status, contentType, text, isUtf8, fault } = response;
  if (card) return [];
  const found = fault
    ? `no response: ${describeFault(fault)}`
    : `HTTP ${status} with ${contentType || 'no content type'}${isUtf8 ? '' : ', not UTF-8'}: ${text}`;
  const remedy = `Serve the card as JSON at ${url}, without authentication.`;
  return [finding(found, 'HTTP 200 with a JSON object', remedy)];
}

function required(card: JsonObject): Finding[] {
  const texts = ['name', 'description', 'version'].filter((name) => !isText(card[name]));
  const lists = ['defaultInputModes', 'defaultOutputModes', 'skills'].filter((name) => !Array.isArray(card[name]));
  const objects = ['capabilities'].filter((name) => typeof card[name] !== 'object' || card[name] === null);
  return [...texts, ...lists, ...objects].map((name) =>
    finding(`${name}: ${JSON.stringify(card[name]) ?? 'absent'}`, `a card with ${name}`, `Add ${name} to the card.`),
  );
}

function interfaces(card: JsonObject): Finding[] {
  const all = interfacesOf(card);
  const member = isCardOfV1(card) ? 'supportedInterfaces' : 'url';
  if (all.length === 0) {
    return [
      finding(
        `no ${member}`,
        'at least one interface',
        'Add supportedInterfaces with url, protocolBinding and protocolVersion.',
      ),
    ];
  }
  return all.flatMap(({ url, binding }) => [
    ...(isHttpUrl(url) || binding === 'GRPC'
      ? []
      : [
          finding(
            `url: ${JSON.stringify(url) ?? 'absent'}`,
            'an absolute URL',
            'Write the URL with https:// and the host.',
          ),
        ]),
    ...(bindings.includes(String(binding)) || isHttpUrl(binding)
      ? []
      : [finding(`binding: ${JSON.stringify(binding)}`, `one of ${bindings.join(', ')}`, 'Correct protocolBinding.')]),
  ]);
}

function versions(card: JsonObject): Finding[] {
  return interfacesOf(card)
    .filter(({ protocolVersion }) => !/^(0\.[1-9]\d*|1\.\d+)(\.\d+)?$/.test(String(protocolVersion)))
    .map(({ protocolVersion }) =>
      finding(
        `protocolVersion: ${JSON.stringify(protocolVersion) ?? 'absent'}`,
        'a version of A2A, such as 1.0 or 0.3.0',
        'Write the version of A2A that the interface speaks, not that of the agent.',
      ),
    );
}

function skills(card: JsonObject): Finding[] {
  const all = objectsOf(card.skills);
  const ids = all.map(({ id }) => id);
  return all.flatMap((skill, index) => {
    const missing = ['id', 'name', 'description'].filter((name) => !isText(skill[name]));
    const remedy = 'Give each skill its own id, a name, a description and tags.';
    const found = shorten(skill);
    if (missing.length > 0) return [finding(found, `a skill with ${missing.join(', ')}`, remedy)];
    if (!Array.isArray(skill.tags)) return [finding(found, 'a skill with tags, an array', remedy)];
    if (ids.indexOf(skill.id) < index) return [finding(`two skills with the id ${skill.id}`, 'distinct ids', remedy)];
    return [];
  });
}

function modes(card: JsonObject): Finding[] {
  const lists = [card, ...objectsOf(card.skills)].flatMap((holder) => [
    holder.defaultInputModes,
    holder.defaultOutputModes,
    holder.inputModes,
    holder.outputModes,
  ]);
  const wrong = lists.flatMap((list) => (Array.isArray(list) ? list : [])).filter((mode) => !isMediaType(mode));
  return wrong.map((mode) =>
    finding(`mode ${JSON.stringify(mode)}`, 'a media type', 'Write modes as type/subtype, such as text/plain.'),
  );
}

const ofCard =
  (read: (card: JsonObject) => Finding[]): Check['run'] =>
  async (subject) =>
    read(await subject.card());

export const cardChecks: Check[] = [
  {
    id: 'card.readable',
    title: 'The card is served at its well-known path',
    why: 'Callers and catalogs find an agent by its card.',
    run: readable,
  },
  {
    id: 'card.members',
    title: 'The card has its required members',
    why: 'Catalogs reject cards without them.',
    run: ofCard(required),
  },
  {
    id: 'card.interfaces',
    title: 'Each interface has an absolute URL and a known binding',
    why: 'Callers cannot reach the agent.',
    run: ofCard(interfaces),
  },
  {
    id: 'card.versions',
    title: 'Each interface names a version of A2A',
    why: 'Callers choose the form of their requests by it.',
    run: ofCard(versions),
  },
  {
    id: 'card.skills',
    title: 'Each skill has an id, a name, a description and tags',
    why: 'Search and other agents find an agent by its skills.',
    run: ofCard(skills),
  },
  {
    id: 'card.modes',
    title: 'Input and output modes are media types',
    why: 'Callers decide by them which files they may send.',
    run: ofCard(modes),
  },
];
