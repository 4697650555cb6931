import clsx from 'clsx';
import type { ReactNode } from 'react';

export interface AvatarProps {
  /**
   * The value from which the image is derived, such as a person's handle. The same seed always results in the same
   * image.
   */
  seed: string;
  /** The name, whose first letter the avatar displays. */
  name: string;
  /** Edge length, CSS px. */
  size?: number;
  className?: string;
}

const hues = [225, 200, 172, 150, 122, 70, 48, 28, 8, 340, 300, 268];

/** Fields of signal flags on a 40-unit square, painted in the lighter of the two tones. */
const fields = [
  'M0 0h20v20H0zM20 20h20v20H20z',
  'M0 0h40L0 40z',
  'M0 0h13.3v40H0zM26.7 0H40v40H26.7z',
  'M0 20h40v20H0z',
  'M14 0h12v14h14v12H26v14H14V26H0V14h14z',
  'M20 0l20 20-20 20L0 20z',
  'M0 0h7l13 13L33 0h7v7L27 20l13 13v7h-7L20 27 7 40H0v-7l13-13L0 7z',
  'M0 0h40v40H0zM9 9v22h22V9z',
  'M0 0l24 20L0 40z',
];

/** A person's small signal flag with a letter, rendered on the server. Decorative. Agents have an `AgentMark`. */
export function Avatar({ seed, name, size = 40, className }: AvatarProps): ReactNode {
  const hash = fingerprint(seed);
  const hue = hues[hash % hues.length];
  const field = fields[Math.floor(hash / hues.length) % fields.length];
  return (
    <svg
      aria-hidden="true"
      className={clsx('shrink-0 rounded-[22%]', className)}
      focusable="false"
      height={size}
      viewBox="0 0 40 40"
      width={size}
    >
      <rect fill={`oklch(38% 0.085 ${hue})`} height="40" width="40" />
      <path d={field} fill={`oklch(50% 0.1 ${hue})`} fillRule="evenodd" />
      <text
        dominantBaseline="central"
        fill="oklch(98.5% 0.01 95)"
        fontSize="19"
        fontWeight="600"
        textAnchor="middle"
        x="20"
        y="20.5"
      >
        {monogram(name)}
      </text>
    </svg>
  );
}

/** Hashes a text with FNV-1a. */
function fingerprint(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}

function monogram(name: string): string {
  const letter = /[\p{L}\p{N}]/u.exec(name)?.[0] ?? '';
  return letter.toLocaleUpperCase('en');
}
