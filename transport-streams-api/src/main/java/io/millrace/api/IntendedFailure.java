package io.millrace.api;

/**
 * An exception that a handler throws on purpose. The caller gets the answer as for every other
 * exception, but the exception is no fault of the handler, and is not reported as {@link
 * io.millrace.event.TransportEvents#onHandlerFault}.
 */
public interface IntendedFailure {}
