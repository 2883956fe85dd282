CREATE TABLE `audit_chain` (
	`chain_id` text PRIMARY KEY NOT NULL,
	`first_row` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit_checkpoints` (
	`number` integer PRIMARY KEY NOT NULL,
	`chain_id` text NOT NULL,
	`from_row` integer NOT NULL,
	`to_row` integer NOT NULL,
	`head_hash` text NOT NULL,
	`root` text NOT NULL,
	`at` integer NOT NULL,
	`previous` text,
	`key_id` text NOT NULL,
	`public_key` text NOT NULL,
	`signature` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit_keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`key_id` text NOT NULL,
	`public_key` text NOT NULL,
	`added_at` integer NOT NULL,
	`endorsed_by` text,
	`endorsement` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_keys_key_id_unique` ON `audit_keys` (`key_id`);--> statement-breakpoint
ALTER TABLE `audit` ADD `previous_hash` text;--> statement-breakpoint
ALTER TABLE `audit` ADD `hash` text;--> statement-breakpoint
CREATE INDEX `audit_action` ON `audit` (`action`);--> statement-breakpoint
CREATE INDEX `audit_at` ON `audit` (`at`);