// Preloaded into a process (`node --import`): its clock is off by SHIFT_MS milliseconds, as on a machine without NTP.
const shift = Number(process.env.SHIFT_MS ?? 0);
const RealDate = Date;
const realNow = RealDate.now;
RealDate.now = () => realNow() + shift;
// A proxy rather than a subclass: it creates plain dates, which libraries recognize.
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(
      target,
      given.length > 0 ? given : [target.now()],
      newTarget === globalThis.Date ? target : newTarget,
    ),
});
