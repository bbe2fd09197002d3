package io.millrace.api;

/**
 * An exception that says what a handler means to say: its caller is answered with it as with any
 * other, but it is no fault of the handler, and is not told as {@link
 * io.millrace.event.TransportEvents#onHandlerFault}.
 */
public interface IntendedFailure {}
