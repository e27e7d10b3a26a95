/**
 * Reads the lines of one log from a point in its past to its end, then those that are added: only on request, a chunk at
 * a time. It notices rotation by the inode and truncation by the size, and waits for a file that does not exist yet.
 */
import { NodeclusterError } from '../../errors/error.js';
import { LineSplitter } from '../../shared/line-splitter.js';
import {
  MAX_LINE,
  NEWLINE,
  contentOf,
  contentOfRotated,
  linesBackward,
  listWritten,
  openLog,
  openRotated,
  statOf,
} from './log-files.js';

/**
 * @import { RotatedFile } from '../../shared/log-files/rotated-files.js'
 * @import { Entry, LogSource } from './log-source.js'
 * @import { OpenFile, OpenLog } from './log-files.js'
 * @import { LogsOptions } from './merged-logs.js'
 *
 * @typedef {object} Past which past lines are requested
 * @property {number} lines at most; may be Infinity
 * @property {number | null} sinceMs epoch; null: since the app was created
 * @property {number} [maxBytes] roughly how far to search back; unlimited by default
 * @typedef {Pick<LogsOptions, 'past' | 'follows' | 'warn'>} ReadOptions
 */

/** After the last chunk of a file, whose last line may have no newline. */
const END = Buffer.alloc(0);
/** @type {OpenLog} */
const NOTHING = { current: null, rotated: [] };

/**
 * What is accepted of each chunk; null: nothing more for now, and at first, when the place to start is found.
 * @param {LogSource} source may change meanwhile, but not its path
 * @param {ReadOptions} options
 */
export async function* readLog(source, options) {
  /** @type {OpenLog} */
  const log = { ...NOTHING };
  const splitter = new LineSplitter(MAX_LINE);
  try {
    Object.assign(log, await openLog(source));
    const start = await findStart(source, log, options);
    const accepts = makeFilter(source, options.past);
    yield null;
    for await (const chunk of chunksOf(source, log, start, options)) {
      const bytes = chunk === END && splitter.isWithinLine ? NEWLINE : chunk;
      const lines = bytes && [...splitter.push(bytes)];
      yield lines && lines.map((line) => source.read(line.toString())).filter(accepts);
    }
  } catch (error) {
    throw unreadable(source.path, error);
  } finally {
    await log.current?.handle.close();
  }
}

/** @param {LogSource} source @param {OpenLog} log @param {ReadOptions} options */
async function findStart(source, { current, rotated }, { past, warn }) {
  const search = makeSearch(source, past);
  let missing = past.lines;
  /** @type {{files: RotatedFile[], offset: number}} */
  let start = { files: [], offset: current?.size ?? 0 };
  /** @param {OpenFile} file @param {RotatedFile[]} files itself, if it was rotated, and those after it */
  const lookInto = async (file, files) => {
    for await (const offset of search.acceptedIn(file)) {
      start = { files, offset };
      missing -= 1;
      if (missing === 0) break;
    }
  };
  if (current && missing > 0) await lookInto(current, []);
  /** @type {RotatedFile[]} */
  let searched = [];
  for (const file of [...rotated].reverse()) {
    if (search.isDone || missing === 0) break;
    try {
      const opened = await openRotated(file, source.user);
      const files = [file, ...searched];
      await lookInto(opened, files).finally(() => opened.handle.close());
      searched = files;
    } catch (error) {
      warn(unreadable(file.path, error));
    }
  }
  return start;
}

/** Backwards, file by file, as far as lines are requested. @param {LogSource} source @param {Past} past */
function makeSearch(source, past) {
  const sinceMs = past.sinceMs ?? source.createdAt ?? -Infinity;
  let bytesLeft = past.maxBytes ?? Infinity;
  /** @param {Buffer} line @returns {Entry | null} null: it is older than requested */
  const read = (line) => {
    const entry = source.read(line.toString());
    bytesLeft -= line.length + 1;
    const isOld = entry.time !== null && entry.time < sinceMs;
    search.isDone ||= bytesLeft < 0 || isOld;
    return isOld ? null : entry;
  };
  const search = {
    isDone: false,
    /** @param {OpenFile} file @returns {AsyncGenerator<number>} where accepted lines begin, the last one first */
    async *acceptedIn(file) {
      if (file.isCompressed) return yield* this.acceptedInCompressed(file);
      for await (const { offset, line } of linesBackward(file)) {
        const entry = read(line);
        if (this.isDone || entry === null) return;
        if (source.accepts(entry)) yield offset;
      }
    },
    /** It can be read only from its beginning. @param {OpenFile} file */
    async *acceptedInCompressed(file) {
      const splitter = new LineSplitter(MAX_LINE);
      let offset = 0;
      /** @type {number[]} */
      let offsets = [];
      for await (const chunk of contentOf(file)) {
        for (const line of splitter.push(chunk)) {
          const entry = read(line);
          if (entry === null) offsets = [];
          else if (source.accepts(entry)) offsets.push(offset);
          offset = splitter.offset;
        }
      }
      yield* offsets.reverse();
    },
  };
  return search;
}

/** Takes what follows the first recent entry, and the indented lines of a stack too. @param {LogSource} source @param {Past} past */
function makeFilter(source, { sinceMs }) {
  let isRecent = sinceMs === null;
  /** Of which the last line, or the one that its indented lines follow, was accepted. @type {Set<string>} */
  const writers = new Set();
  return (/** @type {Entry} */ entry) => {
    const writer = [entry.app, entry.worker, entry.stream].join(':');
    isRecent ||= entry.time !== null && entry.time >= Number(sinceMs);
    const isAccepted = isRecent && source.accepts(entry);
    const isRest = !isAccepted && /^[\s}\]]/.test(entry.message) && writers.has(writer);
    if (isAccepted) writers.add(writer);
    else if (!isRest) writers.delete(writer);
    return isAccepted || isRest;
  };
}

/**
 * @param {LogSource} source
 * @param {OpenLog} log after a rotation, the next one
 * @param {Awaited<ReturnType<typeof findStart>>} start
 * @param {ReadOptions} options
 * @returns {AsyncGenerator<Buffer | null, void>} null: nothing more for now
 */
async function* chunksOf(source, log, { files, offset }, { follows, warn }) {
  for (let last = newestOf(log); ; offset = 0) {
    for (const file of files) {
      try {
        yield* contentOfRotated(file, offset, source.user);
      } catch (error) {
        warn(unreadable(file.path, error));
      }
      yield END;
      offset = 0;
    }
    const { current } = log;
    if (current && !follows) yield* contentOf(current, offset, current.size);
    if (!follows) return yield END;
    if (current) last = yield* followedChunks(current, offset, source.path, last);
    yield END;
    await current?.handle.close();
    files = yield* nextFiles(source, log, last, warn);
    last = newestOf(log, last);
  }
}

/**
 * @param {LogSource} source
 * @param {OpenLog} log gets it
 * @param {number} last number of the rotated files that are read
 * @param {LogsOptions['warn']} warn
 * @returns {AsyncGenerator<null, RotatedFile[]>} those that were rotated meanwhile
 */
async function* nextFiles(source, log, last, warn) {
  for (; ; yield null) {
    Object.assign(log, await openLog(source).catch(() => NOTHING));
    const files = log.rotated.filter(({ number }) => number > last);
    const missed = (files[0]?.number ?? 0) - last - 1;
    if (missed > 0)
      warn(new NodeclusterError('E_LOG_MISSED', { app: source.owner, files: missed }));
    if (log.current || files.length > 0) return files;
  }
}

/**
 * Ends when another file follows, or the file was emptied.
 * @param {OpenFile} current
 * @param {number} offset of the first byte to read
 * @param {string} path
 * @param {number} lastNumber rotated files up to it are read
 * @returns {AsyncGenerator<Buffer | null, number>} the new last number
 */
async function* followedChunks(current, offset, path, lastNumber) {
  for (;;) {
    for await (const chunk of contentOf(current, offset)) {
      offset += chunk.length;
      yield chunk;
    }
    const found = await statOf(path);
    if (found?.ino === current.inode) {
      // Its rotated files were deleted, so their numbers start again.
      if (found.size < offset) return newestOf({ rotated: await listWritten(path) });
    } else if (found && found.size > 0 && (await current.handle.stat()).size <= offset) {
      // The old file may grow until the new one does.
      const newer = (await listWritten(path)).filter(({ number }) => number > lastNumber);
      const own = newer.find(({ inode }) => inode === current.inode);
      // A compressed file has another inode; a file that another program rotated is not in the list.
      return own?.number ?? lastNumber + Math.min(1, newer.length);
    }
    yield null;
  }
}

/** @param {Pick<OpenLog, 'rotated'>} log @param {number} [otherwise] @returns the number of its newest rotated file */
function newestOf({ rotated }, otherwise = 0) {
  return rotated.at(-1)?.number ?? otherwise;
}

/** @param {string} file @param {unknown} thrown */
function unreadable(file, thrown) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (thrown);
  if (thrown instanceof NodeclusterError || !code) return NodeclusterError.from(thrown);
  const reason = code.startsWith('Z_') ? 'damaged' : code;
  return new NodeclusterError('E_LOG_FILE', { file, reason });
}
