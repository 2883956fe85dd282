CREATE TABLE `audit` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`outcome` text NOT NULL,
	`details` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_subject` ON `audit` (`subject`);--> statement-breakpoint
CREATE TABLE `breakers` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`service` integer NOT NULL,
	`name` text NOT NULL,
	`target` text NOT NULL,
	`generation` integer DEFAULT 0 NOT NULL,
	`first_seen_at` integer NOT NULL,
	FOREIGN KEY (`service`) REFERENCES `services`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `breakers_uid_unique` ON `breakers` (`uid`);--> statement-breakpoint
CREATE UNIQUE INDEX `breakers_name` ON `breakers` (`service`,`name`);--> statement-breakpoint
CREATE TABLE `configs` (
	`breaker` integer NOT NULL,
	`instance` integer NOT NULL,
	`hash` text NOT NULL,
	`json` text NOT NULL,
	PRIMARY KEY(`instance`, `breaker`),
	FOREIGN KEY (`breaker`) REFERENCES `breakers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`instance`) REFERENCES `instances`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY NOT NULL,
	`run` integer NOT NULL,
	`seq` integer NOT NULL,
	`breaker` integer,
	`type` text NOT NULL,
	`at` integer NOT NULL,
	`agent_at` integer NOT NULL,
	`agent_mono` integer NOT NULL,
	`received_at` integer NOT NULL,
	`data` text NOT NULL,
	FOREIGN KEY (`run`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`breaker`) REFERENCES `breakers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_seq` ON `events` (`run`,`seq`);--> statement-breakpoint
CREATE INDEX `events_timeline` ON `events` (`breaker`,`at`);--> statement-breakpoint
CREATE INDEX `events_gap` ON `events` (`run`,`at`) WHERE type = 'gap';--> statement-breakpoint
CREATE TABLE `instances` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`service` integer NOT NULL,
	`instance` text NOT NULL,
	`host` text,
	`pid` integer,
	`replica` text,
	`version` text,
	`sdk` text NOT NULL,
	`accepts` text NOT NULL,
	`token_id` text,
	`started_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`liveness` text DEFAULT 'live' NOT NULL,
	`clock_offset_ms` real,
	`dropped_events` integer DEFAULT 0 NOT NULL,
	`dropped_samples` integer DEFAULT 0 NOT NULL,
	`duplicates` integer DEFAULT 0 NOT NULL,
	`archived_at` integer,
	FOREIGN KEY (`service`) REFERENCES `services`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `instances_uid_unique` ON `instances` (`uid`);--> statement-breakpoint
CREATE INDEX `instances_service` ON `instances` (`service`,`archived_at`);--> statement-breakpoint
CREATE INDEX `instances_present` ON `instances` (`last_seen_at`) WHERE archived_at IS NULL;--> statement-breakpoint
CREATE TABLE `last_transitions` (
	`breaker` integer NOT NULL,
	`run` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`last_event` integer NOT NULL,
	PRIMARY KEY(`breaker`, `run`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `liveness_changes` (
	`id` integer PRIMARY KEY NOT NULL,
	`instance` integer NOT NULL,
	`from_state` text NOT NULL,
	`to_state` text NOT NULL,
	`at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`reason` text NOT NULL,
	FOREIGN KEY (`instance`) REFERENCES `instances`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `liveness_timeline` ON `liveness_changes` (`instance`,`at`);--> statement-breakpoint
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `override_targets` (
	`override` integer NOT NULL,
	`instance` integer NOT NULL,
	`delivery` text DEFAULT 'queued' NOT NULL,
	`reason` text,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`override`, `instance`),
	FOREIGN KEY (`override`) REFERENCES `overrides`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`instance`) REFERENCES `instances`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `overrides` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`breaker` integer NOT NULL,
	`kind` text NOT NULL,
	`generation` integer NOT NULL,
	`reason` text NOT NULL,
	`actor` text NOT NULL,
	`created_at` integer NOT NULL,
	`deliver_by` integer NOT NULL,
	`lease_ms` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`ended_at` integer,
	`end_reason` text,
	`ended_by` text,
	`idempotency_key` text NOT NULL,
	FOREIGN KEY (`breaker`) REFERENCES `breakers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `overrides_uid_unique` ON `overrides` (`uid`);--> statement-breakpoint
CREATE UNIQUE INDEX `overrides_idempotency_key_unique` ON `overrides` (`idempotency_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `overrides_generation` ON `overrides` (`breaker`,`generation`);--> statement-breakpoint
CREATE INDEX `overrides_active` ON `overrides` (`breaker`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `overrides_ended` ON `overrides` (`ended_at`) WHERE ended_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `probes` (
	`id` integer PRIMARY KEY NOT NULL,
	`breaker` integer NOT NULL,
	`at` integer NOT NULL,
	`run` integer NOT NULL,
	`step` integer NOT NULL,
	`outcome` text NOT NULL,
	`latency_ms` real NOT NULL,
	`idempotent` integer NOT NULL,
	FOREIGN KEY (`breaker`) REFERENCES `breakers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`run`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `probes_timeline` ON `probes` (`breaker`,`at`);--> statement-breakpoint
CREATE TABLE `reported_states` (
	`breaker` integer NOT NULL,
	`instance` integer NOT NULL,
	`state` text NOT NULL,
	`since` integer,
	`at` integer NOT NULL,
	PRIMARY KEY(`instance`, `breaker`),
	FOREIGN KEY (`breaker`) REFERENCES `breakers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`instance`) REFERENCES `instances`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `runs` (
	`id` integer PRIMARY KEY NOT NULL,
	`instance` integer NOT NULL,
	`epoch` text NOT NULL,
	`acked_seq` integer DEFAULT 0 NOT NULL,
	`samples_seq` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`instance`) REFERENCES `instances`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `runs_epoch` ON `runs` (`instance`,`epoch`);--> statement-breakpoint
CREATE TABLE `samples` (
	`breaker` integer NOT NULL,
	`at` integer NOT NULL,
	`run` integer NOT NULL,
	`seq` integer NOT NULL,
	`body` blob NOT NULL,
	PRIMARY KEY(`breaker`, `at`, `run`, `seq`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `services` (
	`id` integer PRIMARY KEY NOT NULL,
	`uid` text NOT NULL,
	`environment` text NOT NULL,
	`name` text NOT NULL,
	`first_seen_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `services_uid_unique` ON `services` (`uid`);--> statement-breakpoint
CREATE UNIQUE INDEX `services_name` ON `services` (`environment`,`name`);--> statement-breakpoint
CREATE TABLE `tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`name` text NOT NULL,
	`service_pattern` text NOT NULL,
	`environment` text NOT NULL,
	`abilities` text NOT NULL,
	`hint` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tokens_hash_unique` ON `tokens` (`hash`);