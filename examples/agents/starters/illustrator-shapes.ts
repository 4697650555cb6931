/** A shape in a box of 100 by 100, which stands on the bottom edge. */
interface Shape {
  plural: string;
  /** Layer on which it is drawn: in the sky, on the horizon, on water, or on the ground. */
  layer: 'sky' | 'far' | 'water' | 'ground';
  /** Width in the picture, in pixels. */
  width: number;
  color: string;
  /** SVG in this color. */
  draw: (color: string) => string;
}

export const colors: Record<string, string> = {
  red: '#c8402f',
  orange: '#e58a2b',
  yellow: '#f2c53d',
  green: '#4f9a4a',
  blue: '#3f78c4',
  purple: '#7d55b0',
  violet: '#7d55b0',
  pink: '#e68ab0',
  brown: '#8a5a38',
  black: '#2b2b30',
  white: '#f6f4ee',
  gray: '#8d9299',
  grey: '#8d9299',
  golden: '#d9a62b',
  gold: '#d9a62b',
  silver: '#b9bec6',
  turquoise: '#3fb3ab',
};

/**
 * A shape starts with its names, layer, width and color. Each line below it draws a part: a rectangle (x, y, width,
 * height), an ellipse (x, y, radii), a filled area or a line (a path, and the line's width), in a color or in `*`, the
 * color of the shape.
 */
const drawings = `
house houses ground 170 #d9a066
  rect * 12 45 76 55
  area #7d3f32 M4 48 50 8 96 48ZM70 14H79V36H70Z
  area #5a3a28 M42 68H60V100H42Z
  area #fbe9a9 M20 56H36V72H20ZM66 56H82V72H66Z
castle castles ground 220 #9b9da3
  area * M20 50H80V100H20ZM8 32H28V100H8ZM72 32H92V100H72ZM32 43H40V51H32ZM46 43H54V51H46ZM60 43H68V51H60Z
  area #6b4a8a M5 32 18 8 31 32ZM69 32 82 8 95 32Z
  area #4a3526 M40 100V80a10 10 0 0 1 20 0v20Z
tree trees ground 110 #4f9a4a
  rect #7a5233 44 60 12 40
  oval * 50 32 27 27
  oval * 32 46 20 20
  oval * 68 46 20 20
pine pines ground 100 #2f6b4a
  rect #6b4a33 45 80 10 20
  area * M50 4 72 40H28ZM50 24 78 62H22ZM50 46 84 84H16Z
flower flowers ground 44 #e68ab0
  line #4f9a4a M50 100V45M50 78Q70 74 74 60 5
  oval * 67 32 13 13
  oval * 55 48 13 13
  oval * 36 42 13 13
  oval * 36 22 13 13
  oval * 55 16 13 13
  oval #f2c53d 50 32 10 10
sun suns sky 110 #f7c948
  line * M50 4V96M4 50H96M27 10 73 90M10 27 90 73M90 27 10 73M73 10 27 90 4
  oval * 50 50 29 29
moon moons sky 80 #f4efcf
  area * M62 10a42 42 0 1 0 28 62A36 36 0 0 1 62 10Z
star stars sky 30 #fff3b8
  area * M50 5 61 38H96L68 59 79 93 50 72 21 93 32 59 4 38H39Z
cloud clouds sky 140 #ffffff
  oval * 30 60 20 20
  oval * 52 48 26 26
  oval * 74 60 19 19
  rect * 28 58 50 21
rainbow rainbows sky 420 #c8402f
  line #c8402f M3 98A47 47 0 0 1 97 98 4
  line #e58a2b M7 98A43 43 0 0 1 93 98 4
  line #f2c53d M11 98A39 39 0 0 1 89 98 4
  line #4f9a4a M15 98A35 35 0 0 1 85 98 4
  line #3f78c4 M19 98A31 31 0 0 1 81 98 4
  line #7d55b0 M23 98A27 27 0 0 1 77 98 4
bird birds sky 56 #3a3f4b
  line * M8 52Q28 26 50 54Q72 26 92 52 7
balloon balloons sky 90 #c8402f
  oval * 50 36 32 34
  line #6b4a33 M30 62 42 84M70 62 58 84 2
  rect #8a5a38 40 84 20 14
plane planes sky 120 #d7dbe2
  oval * 50 50 42 9
  area * M40 50 62 50 34 84ZM12 48 22 48 8 26Z
  oval #3f78c4 84 48 3 3
mountain mountains far 360 #7b8aa0
  area * M0 100 50 14 100 100Z
  area #f6f8fb M50 14 64 38 55 34 49 42 42 34 36 38Z
hill hills far 420 #6fae5c
  area * M0 100Q50 34 100 100Z
sea seas water 800 #3a86b8
  rect * 0 0 100 100
lake lakes water 420 #4a98c6
  oval * 50 50 50 19
river rivers water 300 #4a98c6
  area * M42 0Q80 30 40 55T30 100H70Q90 70 70 52T58 0Z
boat boats ground 130 #c8402f
  line #6b4a33 M48 78V12 3
  area #f6f4ee M51 14 82 68H51ZM45 24 20 68H45Z
  area * M8 74H92L78 98H22Z
car cars ground 140 #3f78c4
  area * M4 84V68L22 64 34 46H68L82 64 96 68V84Z
  area #cfe5f5 M30 63 38 51H49V63ZM53 51H65L75 63H53Z
  oval #2b2b30 25 86 12 12
  oval #2b2b30 75 86 12 12
person people ground 70 #3f78c4
  oval #e8b894 50 14 12 12
  line #3a3f4b M44 66V97M56 66V97 9
  line #e8b894 M40 36 26 58M60 36 74 58 7
  area * M37 27H63V69H37Z
cat cats ground 70 #6d655f
  line * M72 92Q94 84 84 58 7
  oval * 52 78 24 22
  oval * 42 46 19 19
  area * M25 42 26 16 41 30ZM59 42 58 16 43 30Z
  oval #f2e28a 36 45 3 3
  oval #f2e28a 48 45 3 3
dog dogs ground 90 #a87443
  line * M82 60Q96 50 92 36 7
  line * M38 67H74 26
  line * M34 76V97M78 76V97 10
  oval * 26 44 18 18
  oval #6b4a33 34 42 6 14
  oval * 12 48 10 7
  oval #2b2b30 4 46 3 3
  oval #2b2b30 21 40 3 3
fish fish ground 60 #e58a2b
  oval * 44 70 32 18
  area * M70 70 96 52V88Z
  oval #2b2b30 26 66 3 3
fence fences ground 240 #f6f4ee
  line * M8 98V74M24 98V74M40 98V74M56 98V74M72 98V74M88 98V74 7
  line * M2 80H98M2 92H98 4
snowman snowmen ground 90 #fdfdff
  oval * 50 78 22 22
  oval * 50 46 16 16
  oval * 50 22 11 11
  area #e58a2b M50 22 66 25 50 27Z
  area #2b2b30 M40 4H60V12H40ZM45 18H48V21H45ZM53 18H56V21H53Z`;

const synonyms: Record<string, string> = {
  home: 'house',
  cottage: 'house',
  cabin: 'house',
  fir: 'pine',
  forest: 'pine',
  rose: 'flower',
  tulip: 'flower',
  ocean: 'sea',
  water: 'sea',
  pond: 'lake',
  stream: 'river',
  ship: 'boat',
  sailboat: 'boat',
  man: 'person',
  men: 'person',
  woman: 'person',
  women: 'person',
  child: 'person',
  children: 'person',
  girl: 'person',
  boy: 'person',
  kitten: 'cat',
  puppy: 'dog',
  airplane: 'plane',
  seagull: 'bird',
  sunshine: 'sun',
};

const shapes: ReadonlyMap<string, Shape> = new Map(
  drawings
    .trim()
    .split(/\n(?! )/)
    .map((drawing) => {
      const [head = '', ...parts] = drawing.split(/\n +/);
      const [name = '', plural = '', layer, width, color = ''] = head.split(' ');
      const draw = (fill: string) => parts.map((part) => drawPart(part, fill)).join('');
      return [name, { plural, layer: layer as Shape['layer'], width: Number(width), color, draw }];
    }),
);

function drawPart(part: string, color: string): string {
  const [kind, ink = '', ...values] = part.split(' ');
  const fill = ink === '*' ? color : ink;
  const [a, b, c, d] = values;
  if (kind === 'rect') return `<rect x="${a}" y="${b}" width="${c}" height="${d}" fill="${fill}"/>`;
  if (kind === 'oval') return `<ellipse cx="${a}" cy="${b}" rx="${c}" ry="${d}" fill="${fill}"/>`;
  if (kind === 'area') return `<path d="${values.join(' ')}" fill="${fill}"/>`;
  const width = values.pop();
  const style = `fill="none" stroke="${fill}" stroke-width="${width}" stroke-linecap="round"`;
  return `<path d="${values.join(' ')}" ${style}/>`;
}

/** Display names of the shapes. */
export const shapeNames = [...shapes].map(([name, { plural }]) => (/^(?:sun|moon|sea)$/.test(name) ? name : plural));

/** Returns the shape that a word (singular or plural) stands for; null if there is none. */
export function shapeOf(word: string): string | null {
  for (const text of [word, word.replace(/s$/, ''), word.replace(/es$/, '')]) {
    if (shapes.has(text)) return text;
    if (Object.hasOwn(synonyms, text)) return synonyms[text] ?? null;
  }
  return [...shapes].find(([, { plural }]) => plural === word)?.[0] ?? null;
}

/** @throws {Error} for a name that `shapeOf` did not return */
export function shapeNamed(name: string): Shape {
  const shape = shapes.get(name);
  if (!shape) throw new Error(`there is no shape ${name}`);
  return shape;
}
