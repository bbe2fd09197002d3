package io.millrace.ends;

import io.millrace.transfer.CallOutcome;

/**
 * How one flow of a stream ended.
 *
 * @param outcome {@link CallOutcome#OK} after the last element; {@link CallOutcome#CANCELLED} when
 *     its receiver wanted no more
 * @param text for a person
 */
public record StreamEnd(CallOutcome outcome, String text) {}
