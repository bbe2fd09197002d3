package io.millrace.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.micrometer.MillraceMetrics;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * The metrics of the transport, where {@code millrace-micrometer} is on the class path and a meter
 * registry is a bean. Spring Boot's own module for metrics binds the meters; without that module
 * the starter does.
 */
@AutoConfiguration(
    before = MillraceAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration"
    })
@ConditionalOnClass({MeterRegistry.class, MillraceMetrics.class})
@ConditionalOnBean(MeterRegistry.class)
public class MillraceMetricsAutoConfiguration {
  /** Creates the configuration, as Spring does. */
  public MillraceMetricsAutoConfiguration() {}

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  MillraceMetrics millraceMetrics() {
    return new MillraceMetrics();
  }

  /** Comes first, so that a customizer of the application may choose another subscriber. */
  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE)
  TransportCustomizer millraceMetricsCustomizer(MillraceMetrics metrics) {
    return builder -> builder.events(metrics, metrics.options());
  }

  @Bean
  @ConditionalOnMissingClass(
      "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration")
  SmartInitializingSingleton millraceMetricsBinding(
      MillraceMetrics metrics, ObjectProvider<MeterRegistry> registries) {
    return () -> registries.orderedStream().forEach(metrics::bindTo);
  }
}
