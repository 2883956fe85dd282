CREATE TABLE `commands` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`kind` text NOT NULL,
	`environment` text NOT NULL,
	`scope` text NOT NULL,
	`include_new` integer NOT NULL,
	`reason` text NOT NULL,
	`actor` text NOT NULL,
	`requester` text NOT NULL,
	`created_at` integer NOT NULL,
	`start_at` integer,
	`lease_ms` integer NOT NULL,
	`deliver_within_ms` integer NOT NULL,
	`risk` text NOT NULL,
	`break_glass` integer NOT NULL,
	`expected` text NOT NULL,
	`facts` text NOT NULL,
	`digest` text NOT NULL,
	`status` text NOT NULL,
	`status_at` integer NOT NULL,
	`status_by` text,
	`status_reason` text,
	`approved_by` text,
	`idempotency_key` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `commands_uid_unique` ON `commands` (`uid`);--> statement-breakpoint
CREATE UNIQUE INDEX `commands_idempotency_key_unique` ON `commands` (`idempotency_key`);--> statement-breakpoint
CREATE INDEX `commands_waiting` ON `commands` (`status`) WHERE status IN ('pending_approval', 'scheduled');--> statement-breakpoint
CREATE TABLE `policies` (
	`environment` text PRIMARY KEY NOT NULL,
	`two_person` text NOT NULL,
	`step_up` text NOT NULL,
	`tier_one_services` text NOT NULL,
	`updated_at` integer NOT NULL,
	`updated_by` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `releases` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`actor` text NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	`override_ids` text NOT NULL,
	`batch_size` integer NOT NULL,
	`interval_ms` integer NOT NULL,
	`next_at` integer NOT NULL,
	`status` text NOT NULL,
	`status_at` integer NOT NULL,
	`status_by` text,
	`status_reason` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `releases_uid_unique` ON `releases` (`uid`);--> statement-breakpoint
CREATE INDEX `releases_open` ON `releases` (`status`) WHERE status IN ('running', 'stopped');--> statement-breakpoint
CREATE TABLE `reviews` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`command` integer NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`closed_at` integer,
	`closed_by` text,
	`note` text,
	FOREIGN KEY (`command`) REFERENCES `commands`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reviews_uid_unique` ON `reviews` (`uid`);--> statement-breakpoint
CREATE INDEX `reviews_open` ON `reviews` (`due_at`) WHERE closed_at IS NULL;--> statement-breakpoint
ALTER TABLE `override_targets` ADD `deliver_by` integer;--> statement-breakpoint
ALTER TABLE `override_targets` ADD `lease_revision` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `override_targets` ADD `released_at` integer;--> statement-breakpoint
ALTER TABLE `override_targets` ADD `release_outcome` text;--> statement-breakpoint
ALTER TABLE `overrides` ADD `command` integer REFERENCES commands(id);--> statement-breakpoint
ALTER TABLE `overrides` ADD `include_new` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `overrides` ADD `lease_revision` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `overrides_command` ON `overrides` (`command`);