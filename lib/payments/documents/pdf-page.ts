import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const FONTS = '@expo-google-fonts/noto-sans';
/** Noto Sans has Latin, Greek, Cyrillic, Vietnamese and Devanagari. The files are read when a document is made. */
const fonts = {
  regular: `${FONTS}/400Regular/NotoSans_400Regular.ttf`,
  bold: `${FONTS}/600SemiBold/NotoSans_600SemiBold.ttf`,
};

const MARGIN = 50;
const WIDTH = 595.28 - 2 * MARGIN;
const BOTTOM = 841.89 - MARGIN;
const MUTED = '#555555';

/** A column of a table; `width` is a share of the page. */
interface PdfColumn {
  width: number;
  align?: 'left' | 'right';
}

/** A row of a table, by column. */
interface PdfRow {
  cells: string[];
  bold?: boolean;
}

/**
 * A document in A4 with embedded fonts and extractable text. The same calls give the same bytes: the only time in the
 * file is the given one. Characters that the font lacks are shown as �, never as a wrong character.
 */
export class PdfPage {
  private readonly chunks: Buffer[] = [];
  private readonly ended: Promise<void>;

  /** Returns an empty document. */
  static async create({ title, at, language }: { title: string; at: Date; language: string }): Promise<PdfPage> {
    // Loaded with the first document, because it would slow down each start of a node.
    const { default: PDFDocument } = await import('pdfkit');
    const doc = new PDFDocument({
      size: 'A4',
      margin: MARGIN,
      lang: language,
      pdfVersion: '1.7',
      displayTitle: true,
      font: require.resolve(fonts.regular),
      info: { Title: title, Creator: 'Parley', Producer: 'Parley', CreationDate: at },
    });
    return new PdfPage(doc);
  }

  private constructor(private readonly doc: PDFKit.PDFDocument) {
    this.doc.registerFont('regular', require.resolve(fonts.regular));
    this.doc.registerFont('bold', require.resolve(fonts.bold));
    this.ended = new Promise((resolve) => this.doc.on('end', resolve));
    this.doc.on('data', (chunk: Buffer) => this.chunks.push(chunk));
    this.use('regular', 10);
  }

  /** Writes the title, and a notice next to it. */
  title(text: string, notice: string | null): void {
    this.use('bold', 18);
    this.write(text);
    if (notice !== null) {
      this.use('bold', 11);
      this.doc.fillColor('#b00020');
      this.write(notice);
      this.doc.fillColor('black');
    }
    this.space(8);
  }

  /** Writes a paragraph. */
  paragraph(text: string, tone: 'plain' | 'muted' = 'plain'): void {
    this.use('regular', tone === 'muted' ? 9 : 10);
    this.doc.fillColor(tone === 'muted' ? MUTED : 'black');
    this.write(text);
    this.doc.fillColor('black');
    this.space(4);
  }

  /** Writes a heading. */
  heading(text: string): void {
    this.need(60);
    this.space(10);
    this.use('bold', 12);
    this.write(text);
    this.space(4);
  }

  /** Writes columns of lines next to each other; the first line of each is bold. */
  columns(blocks: string[][]): void {
    const width = WIDTH / blocks.length - 12;
    const top = this.doc.y;
    let bottom = top;
    blocks.forEach((lines, index) => {
      this.doc.y = top;
      lines.forEach((line, at) => {
        this.use(at === 0 ? 'bold' : 'regular', 10);
        this.doc.text(this.shown(line), MARGIN + index * (width + 12), this.doc.y, { width });
      });
      bottom = Math.max(bottom, this.doc.y);
    });
    this.doc.x = MARGIN;
    this.doc.y = bottom;
    this.space(12);
  }

  /** Writes a table; the first row is its head, which is repeated on each page. */
  table(columns: PdfColumn[], [head, ...rows]: [PdfRow, ...PdfRow[]]): void {
    const total = columns.reduce((sum, { width }) => sum + width, 0);
    const widths = columns.map(({ width }) => (width / total) * WIDTH);
    const writeHead = (): void => this.row(columns, widths, { ...head, bold: true });
    writeHead();
    for (const row of rows) {
      if (this.need(this.heightOf(row, widths))) writeHead();
      this.row(columns, widths, row);
    }
    this.space(8);
  }

  /** Ends the document. */
  async finish(): Promise<Buffer> {
    this.doc.end();
    await this.ended;
    return Buffer.concat(this.chunks);
  }

  private row(columns: PdfColumn[], widths: number[], { cells, bold = false }: PdfRow): void {
    const top = this.doc.y;
    const height = this.heightOf({ cells, bold }, widths);
    let x = MARGIN;
    cells.forEach((cell, index) => {
      const width = widths[index] ?? 0;
      this.doc.text(this.shown(cell), x, top + 4, { width: width - 8, align: columns[index]?.align ?? 'left' });
      x += width;
    });
    this.doc
      .moveTo(MARGIN, top + height)
      .lineTo(MARGIN + WIDTH, top + height)
      .lineWidth(0.5)
      .strokeColor('#cccccc')
      .stroke();
    this.doc.x = MARGIN;
    this.doc.y = top + height;
  }

  private heightOf({ cells, bold = false }: PdfRow, widths: number[]): number {
    this.use(bold ? 'bold' : 'regular', 10);
    const heights = cells.map((cell, index) =>
      this.doc.heightOfString(this.shown(cell) || ' ', { width: (widths[index] ?? 0) - 8 }),
    );
    return Math.max(...heights) + 8;
  }

  /** Starts a new page if less than `height` is left. Returns true if it did. */
  private need(height: number): boolean {
    if (this.doc.y + height <= BOTTOM) return false;
    this.doc.addPage();
    return true;
  }

  private write(text: string): void {
    this.doc.text(this.shown(text), MARGIN, this.doc.y, { width: WIDTH });
  }

  private space(points: number): void {
    this.doc.y += points;
  }

  private use(font: keyof typeof fonts, size: number): void {
    this.doc.font(font).fontSize(size);
  }

  private shown(text: string): string {
    const { font } = glyphsOf(this.doc);
    const isKnown = (character: string): boolean => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
    return [...text.replace(/\s/g, ' ')].map((character) => (isKnown(character) ? character : '\ufffd')).join('');
  }
}

/** pdfkit keeps the font in use, as fontkit reads it, in a member without a type. */
function glyphsOf(doc: object): { font: { hasGlyphForCodePoint(codePoint: number): boolean } } {
  return (doc as { _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } } })._font;
}
