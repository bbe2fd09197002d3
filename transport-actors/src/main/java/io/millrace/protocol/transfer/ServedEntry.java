package io.millrace.protocol.transfer;

/** An open call in {@link ServedCalls}: with a frame for the answer, or parked without a frame. */
sealed interface ServedEntry permits ServedCall, ParkedCall {}
