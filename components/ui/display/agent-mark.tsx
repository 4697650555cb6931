import clsx from 'clsx';
import type { ReactNode } from 'react';

interface AgentMarkProps {
  slug: string;
  /** Edge length, CSS px. */
  size: number;
  className?: string;
}

/** The generated mark of an agent without an icon: a two-tone pattern that is different for each slug. Decorative. */
export function AgentMark({ slug, size, className }: AgentMarkProps): ReactNode {
  const { tiles, hues } = markShapes(slug);
  return (
    <svg
      aria-hidden="true"
      className={clsx('shrink-0 rounded-[22%]', className)}
      focusable="false"
      height={size}
      viewBox="0 0 40 40"
      width={size}
    >
      <rect
        height="40"
        style={{ fill: `light-dark(oklch(90% 0.055 ${hues.ground}), oklch(34% 0.06 ${hues.ground}))` }}
        width="40"
      />
      <g style={{ fill: `light-dark(oklch(46% 0.12 ${hues.figure}), oklch(82% 0.11 ${hues.figure}))` }}>
        {tiles.map(({ path, transform }) => (
          <path d={path} key={transform} transform={transform} />
        ))}
      </g>
    </svg>
  );
}

/** One of four tiles: a shape in a square of 20 units, its position and its rotation. */
interface MarkTile {
  path: string;
  transform: string;
}

interface MarkShapes {
  tiles: MarkTile[];
  /** Hues of background and pattern, degrees in OKLCH. */
  hues: { ground: number; figure: number };
}

const hues = [225, 200, 172, 150, 122, 95, 62, 40, 22, 350, 315, 285];
const groundShifts = [0, 0, 70, -70];

/** Quarter, triangle, arch, half, disc, leaf and corner. */
const shapes = [
  'M0 0H20A20 20 0 0 1 0 20Z',
  'M0 0H20L0 20Z',
  'M0 0H20V10A10 10 0 0 1 0 10Z',
  'M0 0H20V10H0Z',
  'M10 3A7 7 0 1 1 10 17A7 7 0 1 1 10 3Z',
  'M0 0A20 20 0 0 1 20 20A20 20 0 0 1 0 0Z',
  'M0 0H20V20A20 20 0 0 1 0 0Z',
];
const corners = ['0 0', '20 0', '0 20', '20 20'];

/**
 * Returns the pattern of a slug, which is always the same, and differs even for similar slugs such as `agent` and
 * `agent-2`.
 */
export function markShapes(slug: string): MarkShapes {
  let random = fingerprint(slug);
  const pick = (count: number): number => {
    random = scramble(random);
    return random % count;
  };
  const figure = hues[pick(hues.length)] ?? 0;
  const ground = (figure + (groundShifts[pick(groundShifts.length)] ?? 0) + 360) % 360;
  const tiles = corners.map((corner) => ({
    path: shapes[pick(shapes.length)] ?? '',
    transform: `translate(${corner}) rotate(${pick(4) * 90} 10 10)`,
  }));
  return { tiles, hues: { ground, figure } };
}

/** Hashes a text with FNV-1a. */
function fingerprint(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}

/** Returns the finalizer of MurmurHash3, in which every bit of the input changes about half of the output. */
function scramble(value: number): number {
  let mixed = (value + 0x9e3779b9) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) >>> 0;
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
