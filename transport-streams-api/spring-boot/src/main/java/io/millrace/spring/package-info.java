/**
 * A starter for Spring Boot 4: a {@link io.millrace.api.Transport} whose settings are the
 * properties below {@code millrace}, routes on methods of beans, health, and a shutdown that lets
 * calls end.
 */
@NullMarked
package io.millrace.spring;

import org.jspecify.annotations.NullMarked;
