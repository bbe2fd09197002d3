package io.millrace.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Serves a route with a method of a bean: one response for each request. The method has one
 * parameter for the request and, in any place, an optional parameter of {@link
 * io.millrace.api.CallContext}. The method returns the response, or a {@link
 * java.util.concurrent.CompletionStage} of the response; null is no response. The starter chooses
 * the codecs by the types: see {@link RouteFactory}.
 *
 * <p>The method runs on the transport's executor, or with {@code spring.threads.virtual.enabled} on
 * a virtual thread of its own, and may block. If the caller gives up, the virtual thread is
 * interrupted. An exception reaches the caller as {@code HANDLER_FAILED} with the exception's
 * message; {@link io.millrace.transfer.OverloadedException} says that nothing was executed.
 *
 * <p>The application starts to serve when all beans are ready, and does not start at all if the
 * method has another shape or a type without a codec.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface MillraceRoute {
  /** The default of {@link #requestBytes}: 64 MiB. */
  long USUAL_REQUEST_BYTES = 64L << 20;

  /** The name of the route, 1 to 256 bytes of UTF-8; placeholders are resolved. */
  String value();

  /**
   * The encoded bytes of requests that the method may have in execution at once. A further request
   * ends at once with {@code OVERLOADED}, was not executed, and the caller may repeat the request.
   * A request to an idle method is always executed. Each request counts 1 KiB at least.
   */
  long requestBytes() default USUAL_REQUEST_BYTES;
}
