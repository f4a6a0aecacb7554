declare module 'unbzip2-stream' {
  /** An old-style duplex: `write` decodes at once and emits `data`; broken input emits `error`. */
  export default function unbzip2Stream(): NodeJS.ReadWriteStream;
}
