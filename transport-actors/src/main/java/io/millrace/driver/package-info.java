/**
 * The driver SPI: how a worker posts operations to a network interface and polls completions.
 *
 * <p>A driver knows no protocol. Providers are found by {@link java.util.ServiceLoader}; an
 * application may also hand a provider over by value.
 */
@NullMarked
package io.millrace.driver;

import org.jspecify.annotations.NullMarked;
