// A door for partners in NestJS: DTOs with decorators, one made from the other, controllers and modules.
import { file } from "./names.mjs";

export function nestFiles(names) {
  return [
    file("partner/src/main.ts", MAIN),
    file("partner/src/app.module.ts", appModule(names)),
    file("partner/src/common/pagination.dto.ts", PAGINATION),
    ...names.flatMap((name) => {
      const folder = `partner/src/${name.many}`;
      return [
        file(`${folder}/dto/create-${name.one}.dto.ts`, createDto(name)),
        file(`${folder}/dto/update-${name.one}.dto.ts`, updateDto(name)),
        file(`${folder}/${name.many}.controller.ts`, controller(name)),
        file(`${folder}/${name.many}.service.ts`, service(name)),
        file(`${folder}/${name.many}.module.ts`, module(name)),
      ];
    }),
  ];
}

const MAIN = `
import { ValidationPipe } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { AppModule } from "./app.module";

async function bootstrap(): Promise<void> {
  const app = await NestFactory.create(AppModule);
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
  await app.listen(4000);
}

void bootstrap();
`;

const appModule = (names) => `
import { Module } from "@nestjs/common";
${names.map(({ many, Type }) => `import { ${Type}sModule } from "./${many}/${many}.module";`).join("\n")}

@Module({
  imports: [${names.map(({ Type }) => `${Type}sModule`).join(", ")}],
})
export class AppModule {}
`;

const PAGINATION = `
import { Type } from "class-transformer";
import { IsInt, IsOptional, Max, Min } from "class-validator";

export class PartnerPagination {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number = 20;

  @IsOptional()
  cursor?: string;
}
`;

const createDto = ({ one, Type }) => `
import { Type as As } from "class-transformer";
import { IsEnum, IsNotEmpty, IsOptional, IsString, ValidateNested } from "class-validator";

export enum ${Type}Tier {
  Basic = "basic",
  Plus = "plus",
}

export class ${Type}Contact {
  @IsString()
  name!: string;

  @IsOptional()
  @IsString()
  phone?: string;
}

/** What a partner says about a ${one}. */
export class Create${Type}Dto {
  @IsString()
  @IsNotEmpty()
  readonly title!: string;

  @IsEnum(${Type}Tier)
  tier!: ${Type}Tier;

  @ValidateNested()
  @As(() => ${Type}Contact)
  contact!: ${Type}Contact;

  @IsOptional()
  @IsString({ each: true })
  labels?: string[];
}
`;

const updateDto = ({ one, Type }) => `
import { OmitType, PartialType } from "@nestjs/mapped-types";
import { Create${Type}Dto } from "./create-${one}.dto";

export class Update${Type}Dto extends PartialType(OmitType(Create${Type}Dto, ["tier"] as const)) {}

export class ${Type}Dto extends Create${Type}Dto {
  id!: string;
  createdAt!: Date;

  static from(id: string, body: Create${Type}Dto): ${Type}Dto {
    return Object.assign(new ${Type}Dto(), body, { id, createdAt: new Date() });
  }
}
`;

const controller = ({ one, many, Type }) => `
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from "@nestjs/common";
import { PartnerPagination } from "../common/pagination.dto";
import { Create${Type}Dto } from "./dto/create-${one}.dto";
import { ${Type}Dto, Update${Type}Dto } from "./dto/update-${one}.dto";
import { ${Type}sService } from "./${many}.service";

@Controller("partner/${many}")
export class ${Type}sController {
  constructor(private readonly ${many}: ${Type}sService) {}

  @Get()
  async findAll(@Query() pagination: PartnerPagination): Promise<${Type}Dto[]> {
    return this.${many}.page(pagination);
  }

  @Post()
  async create(@Body() body: Create${Type}Dto): Promise<${Type}Dto> {
    return this.${many}.create(body);
  }

  @Get(":id")
  async findOne(@Param("id") id: string): Promise<${Type}Dto> {
    return this.${many}.find(id);
  }

  @Patch(":id")
  async update(@Param("id") id: string, @Body() body: Update${Type}Dto): Promise<${Type}Dto> {
    return this.${many}.change(id, body);
  }

  @Delete(":id")
  @HttpCode(204)
  async remove(@Param("id") id: string): Promise<void> {
    this.${many}.remove(id);
  }
}
`;

const service = ({ one, Type }) => `
import { Injectable, NotFoundException } from "@nestjs/common";
import type { PartnerPagination } from "../common/pagination.dto";
import type { Create${Type}Dto } from "./dto/create-${one}.dto";
import { ${Type}Dto, type Update${Type}Dto } from "./dto/update-${one}.dto";

@Injectable()
export class ${Type}sService {
  private readonly rows = new Map<string, ${Type}Dto>();

  create(body: Create${Type}Dto): ${Type}Dto {
    const row = ${Type}Dto.from(crypto.randomUUID(), body);
    this.rows.set(row.id, row);
    return row;
  }

  find(id: string): ${Type}Dto {
    const row = this.rows.get(id);
    if (row === undefined) throw new NotFoundException(\`there is no ${one} \${id}\`);
    return row;
  }

  change(id: string, body: Update${Type}Dto): ${Type}Dto {
    return Object.assign(this.find(id), body);
  }

  page({ limit = 20 }: PartnerPagination): ${Type}Dto[] {
    return [...this.rows.values()].slice(0, limit);
  }

  remove(id: string): void {
    this.rows.delete(id);
  }
}
`;

const module = ({ many, Type }) => `
import { Module } from "@nestjs/common";
import { ${Type}sController } from "./${many}.controller";
import { ${Type}sService } from "./${many}.service";

@Module({ controllers: [${Type}sController], providers: [${Type}sService] })
export class ${Type}sModule {}
`;
