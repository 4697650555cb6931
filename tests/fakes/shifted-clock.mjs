// Preloaded into a process (`node --import`): its clock is wrong by SHIFT_MS milliseconds, as on a machine without NTP.
const shift = Number(process.env.SHIFT_MS ?? 0);
const RealDate = Date;
// Named, because libraries tell dates by the name of their constructor.
globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length > 0) super(...given);
    else super(RealDate.now() + shift);
  }

  static now() {
    return RealDate.now() + shift;
  }
};
