package io.millrace.ends;

import io.millrace.transfer.CallOutcome;

/**
 * The end of a flow of a stream.
 *
 * @param outcome {@link CallOutcome#OK} after the last element; {@link CallOutcome#CANCELLED} when
 *     its receiver wanted no more
 * @param text for a person
 */
public record StreamEnd(CallOutcome outcome, String text) {}
