/** True when a media type is one of a card's modes; a mode may be a range such as `image/*` (RFC 9110 §12.5.1). */
export function acceptsMode(modes: readonly string[], mediaType: string): boolean {
  const type = essence(mediaType);
  return modes.some((mode) => {
    const range = essence(mode);
    return (
      range === '*/*' ||
      range === '*' ||
      range === type ||
      (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))
    );
  });
}

function essence(mode: string): string {
  return (mode.split(';', 1)[0] ?? '').trim().toLowerCase();
}
