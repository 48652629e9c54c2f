package com.example.orders;

import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class OrdersApplication {
  public static void main(String[] args) {
    SpringApplication.run(OrdersApplication.class, args);
  }

  /** The name is what Lockscope shows for a holder, instead of a UUID that changes with each start. */
  @Bean(destroyMethod = "shutdown")
  RedissonClient redisson(@Value("${redis.url}") String url, @Value("${spring.application.name}") String name) {
    Config config = new Config();
    config.useSingleServer().setAddress(url).setClientName(name);
    return Redisson.create(config);
  }
}
