package io.millrace.api.actor;

import io.millrace.actor.pool.DrainReport;

/**
 * The transport has nothing open any more, or its time is over.
 *
 * @param left what had not come to its end
 */
public record DrainReply(DrainReport left) {}
