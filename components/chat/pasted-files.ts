/** The part of a clipboard that distinguishes files from text. */
export interface Clipboard {
  files: Iterable<File>;
  getData: (type: string) => string;
}

/**
 * The clipboard's files to attach; none if it contains text, because office programs add an image of it. The name or
 * path of a copied file does not count as text. Names in `taken` are numbered: screenshots are all called `image.png`.
 */
export function pastedFiles(clipboard: Clipboard, existingNames: readonly string[]): File[] {
  const files = [...clipboard.files];
  if (files.length === 0 || !isOnlyNames(clipboard.getData('text/plain'), files)) return [];
  const names = new Set(existingNames);
  return files.map((file) => {
    const name = uniqueName(file.name || 'file', names);
    names.add(name);
    return name === file.name ? file : new File([file], name, { type: file.type });
  });
}

function isOnlyNames(text: string, files: File[]): boolean {
  const lines = text.split(/\r?\n|\r/).filter((line) => line.trim() !== '');
  return lines.every((line) => files.some(({ name }) => name !== '' && (line === name || isPathTo(line, name))));
}

function isPathTo(line: string, name: string): boolean {
  return (
    /^(?:\/|file:|[a-z]:[\\/])/i.test(line) &&
    (line.endsWith(`/${name}`) || line.endsWith(`\\${name}`) || line.endsWith(`/${encodeURIComponent(name)}`))
  );
}

function uniqueName(name: string, existingNames: ReadonlySet<string>): string {
  const [, stem = name, extension = ''] = /^(.*?)(\.[^.]*)?$/.exec(name) ?? [];
  let free = name;
  for (let number = 2; existingNames.has(free); number++) free = `${stem}-${number}${extension}`;
  return free;
}
