import { execFile, type SpawnOptions, spawn } from 'node:child_process'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

/*
 * Runs the steps of deploy/production/Dockerfile without Docker: each image is a folder, each RUN a command in it. It supports the
 * instructions that this Dockerfile uses, and fails for any other.
 */

const call = promisify(execFile)
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024

export interface Image {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly user: number
  readonly workdir: string
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly healthcheck: readonly string[]
}

interface Instruction {
  readonly name: string
  readonly value: string
}

/** The replacements of base images. */
export type Bases = Readonly<Record<string, string>>

/**
 * Builds the images of a Dockerfile.
 *
 * @param context the folder that COPY reads from
 * @param folder the folder for the images
 */
export async function build(file: string, options: { context: string; folder: string; bases: Bases }): Promise<Image> {
  const stages = new Map<string, Image>()
  let image: Image | null = null
  for (const { name, value } of instructionsOf(await readFile(file, 'utf8'))) {
    if (name === 'FROM') {
      const [base = '', , alias = 'final'] = value.split(' ')
      image = await begin(join(options.folder, alias), options.bases[base])
      stages.set(alias, image)
    } else if (image) {
      image = await follow(image, { name, value }, { context: options.context, stages })
      stages.set(basename(image.folder), image)
    }
  }
  if (!image) throw new Error(`${file} has no FROM.`)
  return image
}

function instructionsOf(text: string): Instruction[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => ({ name: line.split(' ', 1)[0] ?? '', value: line.slice(line.indexOf(' ') + 1) }))
}

async function begin(folder: string, base: string | undefined): Promise<Image> {
  if (base === undefined) throw new Error('The Dockerfile has a base image that this test does not know.')
  await mkdir(dirname(folder), { recursive: true })
  await call('cp', ['-a', '--reflink=auto', base, folder])
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' }
  return { folder, env, user: 0, workdir: '/', entrypoint: [], command: [], healthcheck: [] }
}

async function follow(
  image: Image,
  { name, value }: Instruction,
  { context, stages }: { context: string; stages: ReadonlyMap<string, Image> },
): Promise<Image> {
  switch (name) {
    case 'RUN':
      await run(image, value)
      return image
    case 'COPY':
      await copy(image, value.split(' '), { context, stages })
      return image
    case 'ENV': {
      const at = value.indexOf('=')
      return { ...image, env: { ...image.env, [value.slice(0, at)]: value.slice(at + 1) } }
    }
    case 'WORKDIR':
      await mkdir(join(image.folder, value), { recursive: true })
      return { ...image, workdir: value }
    case 'USER':
      return { ...image, user: Number(value) }
    case 'ENTRYPOINT':
      return { ...image, entrypoint: JSON.parse(value) }
    case 'CMD':
      return { ...image, command: JSON.parse(value) }
    case 'HEALTHCHECK':
      return { ...image, healthcheck: JSON.parse(value.slice(value.indexOf('CMD ') + 4)) }
    case 'VOLUME':
    case 'EXPOSE':
    case 'STOPSIGNAL':
      return image
    default:
      throw new Error(`This test does not know the instruction ${name}.`)
  }
}

/** Includes additional certificate authorities of this machine, because it may reach the registry through a proxy. */
async function run(image: Image, line: string): Promise<void> {
  const { NODE_EXTRA_CA_CERTS: trusted } = process.env
  const env: Record<string, string> = { ...image.env, HOME: '/root' }
  if (trusted) {
    env.NODE_EXTRA_CA_CERTS = '/tmp/authorities.pem'
    await cp(trusted, join(image.folder, env.NODE_EXTRA_CA_CERTS), { dereference: true })
  }
  const shell = ['sh', '-ec', `cd ${image.workdir}; ${line}`]
  await call('chroot', [image.folder, '/usr/bin/env', '-i', ...pairs(env), ...shell], { maxBuffer: OUTPUT_BYTES_MAX })
}

async function copy(
  image: Image,
  words: readonly string[],
  { context, stages }: { context: string; stages: ReadonlyMap<string, Image> },
): Promise<void> {
  const [stage] = words[0]?.startsWith('--from=') ? [words[0].slice('--from='.length)] : [null]
  const [from = '', to = ''] = stage === null ? words : words.slice(1)
  if (stage !== null) {
    const source = stages.get(stage)
    if (!source) throw new Error(`There is no stage ${stage}.`)
    await mkdir(dirname(join(image.folder, to)), { recursive: true })
    await call('cp', ['-a', '--reflink=auto', join(source.folder, from), join(image.folder, to)])
    return
  }
  const [before = '', after = ''] = from.split('*')
  const found = (await readdir(context)).filter((each) => each.startsWith(before) && each.endsWith(after))
  if (found.length !== 1) throw new Error(`COPY ${from}: there are ${found.length} in ${context}.`)
  await cp(join(context, found[0] as string), join(image.folder, to))
}

const pairs = (env: Readonly<Record<string, string>>) => Object.entries(env).map(([name, value]) => `${name}=${value}`)

export interface Container {
  readonly image: Image
  readonly env: Readonly<Record<string, string>>
  /** Writable folders of this machine, by their path in the image. */
  readonly volumes: Readonly<Record<string, string>>
}

/**
 * Starts a program in an image like `docker run --read-only --cap-drop=ALL --security-opt=no-new-privileges`: with separate mounts,
 * as the user of the image, with a read-only root file system.
 */
export function enter({ image, env, volumes }: Container, args: readonly string[], options: SpawnOptions) {
  const root = image.folder
  const mounts = Object.entries(volumes).map(([to, from]) => `mount --bind ${from} ${root}${to}`)
  const script = [
    'mount --make-rprivate /',
    `mount --bind ${root} ${root}`,
    `mount --rbind /dev ${root}/dev`,
    `mount -t proc proc ${root}/proc`,
    `mount -t tmpfs -o mode=1777 tmpfs ${root}/tmp`,
    ...mounts,
    `mount -o remount,bind,ro ${root}`,
    // The shell needs root to change the root folder and the user.
    `exec chroot ${root} /usr/bin/setpriv --reuid=${image.user} --regid=${image.user} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all /usr/bin/env -i "$@"`,
  ].join('\n')
  const run = ['--chdir', image.workdir, ...pairs({ ...image.env, ...env }), ...args]
  return spawn('unshare', ['--mount', 'sh', '-ec', script, 'sh', ...run], options)
}

/** Creates a Debian with the packages of its smallest image. It is kept for later runs. */
export async function debian(folder: string, suite: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true })
  await call('debootstrap', ['--variant=minbase', suite, `${folder}.unfinished`, 'http://deb.debian.org/debian'], {
    maxBuffer: OUTPUT_BYTES_MAX,
  })
  await call('mv', [`${folder}.unfinished`, folder])
}

/** The same Debian with Node and npm from the npm registry, like the image `node`. */
export async function withNpm(base: string, folder: string, packages: readonly string[]): Promise<void> {
  await call('cp', ['-a', '--reflink=auto', base, `${folder}.unfinished`])
  await call('npm', ['install', '--global', '--ignore-scripts', `--prefix=${folder}.unfinished/usr/local`, ...packages])
  await writeFile(join(`${folder}.unfinished`, 'etc/resolv.conf'), await readFile('/etc/resolv.conf'))
  await call('mv', [`${folder}.unfinished`, folder])
}
