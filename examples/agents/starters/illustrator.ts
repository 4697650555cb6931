/**
 * illustrator: draws what a sentence describes.
 *
 * Demonstrates: an answer with text and files. The drawing is SVG made of fixed shapes and numbers, so it never
 * contains text from a caller; chats show the PNG rendered from it.
 */
import type { Turn, TurnOutput } from '@parley/agent/serve';
import { LRUCache } from 'lru-cache';
import { describeScene, draw } from './illustrator-canvas';
import { readScene } from './illustrator-scene';
import { shapeNames } from './illustrator-shapes';

export const card = {
  name: 'Illustrator',
  description:
    'Draws a picture from a description, as SVG and PNG: houses, trees, animals, mountains, the sea, with colors, sizes and ' +
    'positions, by day or night, in sun, rain, snow or fog. Says which words it could not draw.',
  version: '1.0.0',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/markdown', 'image/svg+xml', 'image/png'],
  skills: [
    {
      id: 'draw',
      name: 'Draw a picture',
      description: 'Makes an image or illustration of a scene that you describe in words.',
      tags: ['drawing', 'image', 'picture', 'illustration', 'svg', 'art'],
      examples: [
        'Draw me a house',
        'A small red house between two big trees, with a cat on the left, at night in the snow',
        'A blue boat on the sea at sunset, with three birds',
      ],
    },
    {
      id: 'change',
      name: 'Change a picture',
      description: 'Adds something to the last picture of the conversation, or changes its weather or time of day.',
      tags: ['drawing', 'edit'],
      examples: ['Add a rainbow', 'Make it night'],
    },
  ],
};

const MAX_LENGTH = 1_000;

/** The description of the last picture, by caller and conversation. */
const pictures = new LRUCache<string, string>({ max: 2_000 });

export async function* handle(turn: Turn): AsyncGenerator<TurnOutput> {
  const key = JSON.stringify([turn.caller?.subject, turn.contextId]);
  const isChange = /^\s*(?:please )?(?:now |and |also )?(?:add|make it|with|change|put)\b/i.test(turn.text);
  const before = isChange ? pictures.get(key) : undefined;
  const text = before === undefined ? turn.text : `${before}, ${turn.text}`;
  const scene = readScene(text.slice(0, MAX_LENGTH));
  if (scene.items.length === 0 && scene.isPlain) {
    const unknown = scene.unknown.length > 0 ? `I cannot draw: ${scene.unknown.join(', ')}. ` : '';
    yield turn.ask(`${unknown}What should I draw? I know ${shapeNames.join(', ')}.`);
    return;
  }
  pictures.set(key, text.slice(0, MAX_LENGTH));
  const svg = draw(scene);
  yield { text: describeScene(scene), mediaType: 'text/markdown' };
  const file = (extension: string, mediaType: string, bytes: Buffer) => ({
    raw: bytes.toString('base64'),
    filename: `picture.${extension}`,
    mediaType,
  });
  const parts = [file('svg', 'image/svg+xml', Buffer.from(svg))];
  const png = await render(svg);
  if (png) parts.unshift(file('png', 'image/png', png));
  yield turn.artifact({ artifactId: 'picture', name: 'Picture', parts });
}

/** Renders the picture as PNG; null if the package `sharp` is not installed. */
async function render(svg: string): Promise<Buffer | null> {
  // Loaded for the first picture: it takes as much memory as the rest of the process.
  const sharp = await import('sharp').catch(() => null);
  return sharp ? sharp.default(Buffer.from(svg)).png({ palette: true }).toBuffer() : null;
}
