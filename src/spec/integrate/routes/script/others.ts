import type { UnclearRoute } from "../route.ts";
import type { ScriptModule } from "./world.ts";

/** Packages that make routes of something that plait does not read: decorators of their own, files, documents. */
const OTHERS =
  /^(?:routing-controllers|tsoa|@tsoa\/runtime|@tsed\/[\w-]+|inversify-express-utils|@overnightjs\/core|@decorators\/express|express-openapi|express-file-routing|openapi-backend|fastify-openapi-glue|@fastify\/autoload|fastify-autoload|fastify-decorators|@ts-rest\/[\w-]+|@(?:nestjsx|dataui)\/crud|honox|koa|koa-router|@koa\/router|@hapi\/hapi|restify|polka|elysia|h3|@feathersjs\/[\w-]+|@loopback\/rest|@adonisjs\/core)$/;

/** What a project may have of routes beside those that were found. */
export function otherRoutes(modules: ReadonlyMap<string, ScriptModule>): UnclearRoute[] {
  return [...modules].flatMap(([file, { facts }]) =>
    [...facts.required]
      .filter(([from]) => OTHERS.test(from))
      .map(([from, line]) => ({
        file,
        line,
        framework: from,
        why: `\`${from}\` makes routes that are not read`,
      })),
  );
}
